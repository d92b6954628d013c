import type { SourceLanguage } from '../checks/language.js';

/** The names other files may use. Expects code with comments and strings blanked out. */
export function exportedNames(code: string, language: SourceLanguage, path: string): Set<string> {
  const names = new Set<string>();
  for (const pattern of NAMED[language] ?? []) {
    for (const [, name] of code.matchAll(pattern)) if (name !== undefined) names.add(name);
  }
  if (language === 'javascript') addScriptNames(code, names);
  // In `__init__.py` an import is how a package exports a name.
  if (language === 'python' && /(?:^|\/)__init__\.pyi?$/.test(path)) addImported(code, names);
  if (language === 'go') addGrouped(code, names);
  return names;
}

const PUBLIC_MEMBERS = [
  /\bpublic[ \t]{1,9}[^\n;={}()]{0,200}?\b(\w{1,200})[ \t]{0,9}[({]/g,
  /\bpublic[ \t]{1,9}[^\n;={}()]{0,200}?\b(?:class|interface|enum|record|struct)[ \t]{1,9}(\w{1,200})/g,
];

const NAMED: Partial<Readonly<Record<SourceLanguage, readonly RegExp[]>>> = {
  javascript: [
    /\bexport\s{1,99}(?:(?:declare|abstract|async|const)\s{1,99}){0,4}(?:function\b\s{0,99}\*?|class|interface|type|enum|namespace|const|let|var)\s{0,99}(?<![\w$])([\p{L}$_][\p{L}\p{N}$_]{0,200})/gu,
    /\b(?:module\.)?exports\.([\w$]{1,200})\s{0,99}=(?!=)/g,
    /\b(module\.exports)\s{0,99}=(?!=)/g,
    /\bexport\s{1,99}(default)\b/g,
  ],
  python: [/^(?:async[ \t]{1,9})?(?:def|class)[ \t]{1,9}([A-Za-z]\w{0,200})/gm],
  go: [
    /^func[ \t]{1,9}(?:\([^()\n]{0,300}\)[ \t]{0,9})?([A-Z]\w{0,200})/gm,
    /^(?:type|var|const)[ \t]{1,9}([A-Z]\w{0,200})/gm,
  ],
  rust: [
    /\bpub[ \t]{1,9}(?:(?:async|unsafe|const|extern|"[^"\n]{0,40}")[ \t]{1,9}){0,4}(?:fn|struct|enum|union|trait|type|mod|static|const|macro)[ \t]{1,9}(?:mut[ \t]{1,9})?(\w{1,200})/g,
    /\bpub[ \t]{1,9}(use[ \t]{1,9}[^;]{1,2000});/g,
    /#\[macro_export\][\s\S]{0,200}?(macro_rules![ \t]{0,9}\w{1,200})/g,
  ],
  swift: [
    /\b(?:public|open)\b[^\n{=]{0,200}?\b(?:func|class|struct|enum|protocol|var|let|typealias|actor|extension)[ \t]{1,9}(\w{1,200})/g,
  ],
  ruby: [
    /^[ \t]{0,80}(?:class|module)[ \t]{1,9}([A-Z][\w:]{0,200})/gm,
    /^[ \t]{0,80}def[ \t]{1,9}([\w.]{1,200}[?!=]?)/gm,
  ],
  java: PUBLIC_MEMBERS,
  csharp: PUBLIC_MEMBERS,
  php: PUBLIC_MEMBERS,
};

const LISTED = [
  /\bexport\s{0,99}(?:type\s{1,99})?\{([^{}]{0,20000})\}/g,
  /\bexport\s{1,99}(?:const|let|var)\s{1,99}[{[]([^=;{}[\]]{0,5000})[}\]]/g,
  /\bmodule\.exports\s{0,99}=\s{0,99}\{([^{}]{0,20000})\}/g,
];

function addScriptNames(code: string, names: Set<string>): void {
  for (const [, list = ''] of LISTED.flatMap(pattern => [...code.matchAll(pattern)])) {
    for (const item of list.split(',')) {
      // `a as b` exports b; `a: b` exports a, or b where it destructures: both count.
      for (const name of item
        .trim()
        .split(/\s{1,99}as\s{1,99}/)
        .slice(-1)) {
        for (const word of name.match(/[\p{L}$_][\p{L}\p{N}$_]{0,200}/gu) ?? []) names.add(word);
      }
    }
  }
  const stars = code.match(/\bexport\s{0,99}\*/g) ?? [];
  for (const [at] of stars.entries()) names.add(`* (${at + 1})`);
}

function addImported(code: string, names: Set<string>): void {
  const imports =
    /^(?:from[ \t]{1,9}[\w.]{1,200}[ \t]{1,9})?import[ \t]{1,9}(\([^()]{0,20000}\)|[^\n(]{1,5000})/gm;
  for (const [, list = ''] of code.matchAll(imports)) {
    for (const item of list.replace(/[()]/g, ' ').split(',')) {
      const name = item.trim().split(/\s+/).at(-1) ?? '';
      if (/^[A-Za-z]/.test(name)) names.add(name);
    }
  }
}

/** `const ( A = 1 … )`: one name at the start of each line. */
function addGrouped(code: string, names: Set<string>): void {
  for (const [, block = ''] of code.matchAll(/^(?:type|var|const)[ \t]{0,9}\(([^()]{0,20000})/gm)) {
    for (const [, name = ''] of block.matchAll(/^[ \t]{1,9}([A-Z]\w{0,200})/gm)) names.add(name);
  }
}
