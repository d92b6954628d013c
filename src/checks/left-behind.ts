import { type LineCheck, NO_HITS } from './check.js';
import { type CodePattern, judgePatterns } from './code-pattern.js';
import { fileRole } from './language.js';

/** Statements that pause the program for a debugger. */
export const debuggerStatement: LineCheck = {
  rules: { debugger: 'warning' },
  guards: false,
  open: (file, view) =>
    judgePatterns({ file, view }, BREAKPOINTS, { rule: 'debugger', isFineInDebugBuilds: true }),
};

const stops = (what: string): string =>
  `${what} pauses the program for a debugger. Remove it before merging.`;

// biome-ignore format: two lines per pattern read as a table.
const BREAKPOINTS: readonly CodePattern[] = [
  { languages: ['javascript'], hints: ['debugger'], message: stops('`debugger`'),
    pattern: /(?:^|[;{})]|\belse|\bdo|=>)\s*debugger\s*(?:;|\}|$)/ },
  { languages: ['javascript'], hints: ['pause'], message: stops('`pause()`'),
    pattern: /\b(?:page|\w+Page|cy)(?:\.pause|\[(["'`])pause\1\])\s*\(\s*\)/ },
  { languages: ['javascript'], hints: ['browser.debug'], message: stops('`browser.debug()`'),
    pattern: /\bbrowser\.debug\(\s*\)/ },
  { languages: ['python'], hints: ['set_trace', 'breakpoint', 'embed()', 'wait_for_client'], message: stops('A breakpoint'),
    pattern: /(?<![\w.])(?:i?pdb|pudb|wdb|rpdb|celery\.contrib\.rdb)\.set_trace\s*\(|(?<![\w.]|def )(?:breakpoint|set_trace)\s*\(|\bIPython\.embed\s*\(|\bdebugpy\.(?:breakpoint|wait_for_client)\s*\(/ },
  { languages: ['ruby'], hints: ['binding.', 'byebug', 'debugger', 'jard', 'pry', 'Pry', 'save_'], message: stops('A breakpoint'),
    pattern: /\bbinding\.(?:pry|irb|break|b|remote_pry|pry_remote|console)\b|\bPry\.rescue\b|(?:^|;|\bthen|\bdo|\{|\|\s|&&)\s*(?:(?:Kernel|::Kernel)\.)?(?:byebug|remote_byebug|debugger|jard)(?![\w.:?!]|\s*[=(]?=)|^\s*pry(?:\s*(?:$|#)|\s+\w)|(?:^|;|\{|&&)\s*(?:page\.)?(?:save_and_open_(?:page|screenshot)\b|save_(?:page|screenshot)(?:\s+["'\w:]|\s*$))/ },
  { languages: ['ruby'], hints: ['debug/'], message: stops('This require'),
    pattern: /(?:^|;)\s*require\b/, withStrings: /\brequire\s*\(?\s*["']debug\/(?:open|start)(?:_nonstop)?["']\s*\)?\s*(?:$|;|#|if\b|unless\b)/ },
  { languages: ['swift', 'c'], hints: ['raise(', '__builtin_', 'DebugBreak', '__debugbreak'], message: stops('This call'),
    pattern: /(?<![\w.])raise\(\s*SIG(?:INT|TRAP|STOP)\s*\)|(?<!\w)__builtin_debugtrap\(|(?<!\w)(?:__debugbreak|DebugBreak)\(/ },
  { languages: ['go'], hints: ['runtime.Breakpoint'], message: stops('`runtime.Breakpoint()`'),
    pattern: /\bruntime\.Breakpoint\(\)/ },
  { languages: ['csharp'], hints: ['Debugger.'], message: stops('The debugger call'),
    pattern: /\bDebugger\.(?:Break|Launch)\s*\(/ },
  { languages: ['php'], hints: ['xdebug_break'], message: stops('`xdebug_break()`'),
    pattern: /\bxdebug_break\s*\(/ },
  { languages: ['elixir'], hints: ['IEx.pry'], message: stops('`IEx.pry`'),
    pattern: /\bIEx\.pry\b/ },
];

/**
 * Output that was only meant for the author. Errors and warnings on the console are fine, and so is
 * everything in tests, scripts and command-line tools, which are meant to print. `print` of Python and
 * Swift and Go's `fmt` look like real output, so they aren't reported.
 */
export const debugOutput: LineCheck = {
  rules: { 'debug-output': 'info' },
  guards: false,
  open: (file, view) => {
    const judge = judgePatterns({ file, view }, OUTPUT, {
      rule: 'debug-output',
      applies: role => !role.mayPrint,
      allowedBy: ['no-console', 'noConsole'],
      isFineInDebugBuilds: true,
    });
    if (judge === undefined) return undefined;
    let prints = false;
    return line => {
      // An executable script, or a module with its own console.
      if (line.number === 1 && line.text.startsWith('#!')) prints = true;
      if (line.text.includes('console') && OWN_CONSOLE.test(line.text)) prints = true;
      const hits = judge(line);
      return prints ? [] : hits;
    };
  },
};

const OWN_CONSOLE =
  /\b(?:var|let|const|import)\s+(?:\{\s*)?console\b|\bas\s+console\b|^\s*import\s+console\b/;

const leftOver = (what: string): string =>
  `${what} looks like leftover debug output. Remove it or use the project's logger.`;

// biome-ignore format: two lines per pattern read as a table.
const OUTPUT: readonly CodePattern[] = [
  { languages: ['javascript'], hints: ['console'], message: leftOver('This console call'),
    pattern: /(?<![\w$.])console\s*\.\s*(?:log|debug|dir|trace|table)\s*\(/ },
  { languages: ['javascript'], hints: ['console'], message: leftOver('This console call'),
    pattern: /[(,]\s*console\.(?:log|debug|dir|trace|table)\s*[,)]/ },
  { languages: ['swift'], hints: ['debugPrint(', 'dump(', '_printChanges', '_logChanges'], message: leftOver('This call'),
    pattern: /(?<![\w.]|func )(?:Swift\.)?(?:debugPrint|dump)\(|\bSelf\._(?:print|log)Changes\(\)/ },
  { languages: ['rust'], hints: ['dbg!'], message: leftOver('`dbg!`'),
    pattern: /(?<!\w)dbg!\s*[([{]/ },
  { languages: ['go'], hints: ['spew.', 'println'], message: leftOver('This call'),
    pattern: /\bspew\.F?[Dd]ump\(|(?<![\w.]|func )println\(/ },
  { languages: ['php'], hints: ['var_dump', 'dd(', 'dump(', 'print_r'], message: leftOver('This dump'),
    pattern: /(?<![\w>:$\\]|function )(?:var_dump|dd|ddd|dump)\s*\(|^\s*print_r\s*\(/ },
  { languages: ['java'], hints: ['System.out.'], message: leftOver('`System.out`'),
    pattern: /\bSystem\.out\.print(?:ln)?\s*\(/ },
  { languages: ['elixir'], hints: ['IO.inspect'], message: leftOver('`IO.inspect`'),
    pattern: /\bIO\.inspect\b/ },
];

/** A path in somebody's home folder, which exists on one machine. */
export const absolutePath: LineCheck = {
  rules: { 'absolute-path': 'info' },
  guards: false,
  open: ({ path }) => {
    if (fileRole(path).isSample) return undefined;
    return ({ text, isAdded }) => {
      if (!isAdded || (!text.includes('Users') && !text.includes('/home/'))) return NO_HITS;
      const found = HOME.exec(text);
      if (found === null || NOBODY.test(found[1] ?? '')) return NO_HITS;
      return [
        {
          rule: 'absolute-path',
          message:
            'This path is in the home folder of one person and exists on no other machine. Make it relative, or take it from the environment.',
          column: found.index + 1,
          endColumn: found.index + found[0].length + 1,
        },
      ];
    };
  },
};

const HOME =
  /(?<![\w.:~/$}-])(?:file:\/\/)?(?:\/(?:Users|home)\/|[A-Za-z]:\\{1,2}Users\\{1,2})([A-Za-z][\w.-]{1,40})[/\\][\w.@-]/;

/** Accounts that many machines have, and placeholder names. */
const NOBODY =
  /^(?:you|me|user|users?name|someone|somebody|name|yourname|your[-_]?\w*|my[-_]?\w*|foo|bar|test\w*|example|runner|runneradmin|node|ubuntu|vscode|app|git|shared|public|default|linuxbrew|circleci|travis|jenkins|vagrant|docker|pi|ec2-user|coder|gitpod|codespace|admin|dev|developer|john|jane|alice|bob|jdoe|johndoe)$/i;
