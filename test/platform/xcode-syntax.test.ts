import * as assert from 'uvu/assert';
import { syntaxError } from '../../src/platform/syntax.js';
import type { SyntaxKind } from '../../src/platform/syntax-yaml.js';
import { suite } from '../support/suite.js';

const test = suite('platform/xcode-syntax');

const plist = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${body}
</plist>
`;

const ID = 'AB12CD34EF56AB12CD34EF';
const project = (objects: string): string => `// !$*UTF8*$!
{
	archiveVersion = 1;
	objects = {
${objects}
	};
	rootObject = ${ID}00 /* Project object */;
}
`;

const GROUP = `		${ID}00 /* Project object */ = {isa = PBXProject; mainGroup = ${ID}01; };
		${ID}01 = {
			isa = PBXGroup;
			children = (
				${ID}02 /* A b.swift */,
			);
			path = "A \\"b\\" // no comment";
			sourceTree = "<group>";
		};
		${ID}02 /* A b.swift */ = {isa = PBXFileReference; path = "A b.swift"; data = <0aff>; };
		${ID}03 = {isa = PBXContainerItemProxy; remoteGlobalIDString = ${ID}99; };`;

const valid: ReadonlyArray<readonly [string, SyntaxKind, string]> = [
  ['a dict without plist around it', 'plist', '<dict><key>a</key><true/></dict>'],
  [
    'a dict',
    'plist',
    plist('<dict><key>a</key><string>b &amp; c</string><key>d</key><true/></dict>'),
  ],
  ['an array', 'plist', plist('<array><integer>-4</integer><dict/></array>')],
  ['a variable of the build', 'plist', plist('<dict><key>v</key><string>$(V)</string></dict>')],
  ['the older format', 'plist', '{ a = "b"; }'],
  [
    'elements and attributes',
    'xml',
    '<?xml version="1.0"?>\n<document type="a"><view id="b"/></document>\n',
  ],
  [
    'pairs and comments',
    'strings',
    '/* a */\n"a \\"b\\"" = "c = d;";\n// e\nCFBundleName = "f";\n',
  ],
  ['a property list', 'strings', plist('<dict><key>a</key><string>b</string></dict>')],
  ['a project', 'pbxproj', project(GROUP)],
];

for (const [title, kind, text] of valid) {
  test(`${title} is a valid ${kind}`, async () =>
    assert.is(await syntaxError(kind, text), undefined));
}

const invalid: ReadonlyArray<readonly [string, SyntaxKind, string, string]> = [
  [
    'an open element',
    'plist',
    plist('<dict><key>a</key>'),
    '5:9 a closing tag does not match its opening tag',
  ],
  [
    'a lone ampersand',
    'plist',
    plist('<string>a & b</string>'),
    '4:13 an ampersand must be written as &amp;',
  ],
  [
    'a key without a value',
    'plist',
    plist('<dict><key>a</key></dict>'),
    '4:26 a key in a dict has no value',
  ],
  [
    'a value without a key',
    'plist',
    plist('<dict><string>a</string></dict>'),
    '4:15 a value in a dict has no key',
  ],
  [
    'an unknown element',
    'plist',
    plist('<int>1</int>'),
    "4:6 an element isn't one that property lists have",
  ],
  [
    'an integer in words',
    'plist',
    plist('<integer>one</integer>'),
    "4:23 an integer isn't a number",
  ],
  [
    'a conflict',
    'plist',
    plist('<dict>\n<<<<<<< HEAD\n</dict>'),
    '5:3 a less-than sign must be written as &lt;',
  ],
  [
    'an open element',
    'xml',
    '<document>\n<view>\n</document>\n',
    '3:12 a closing tag does not match its opening tag',
  ],
  ['an early end', 'xml', '<document>\n<view>\n', '3:1 an element is not closed'],
  ['a missing semicolon', 'strings', '"a" = "b"\n"c" = "d";\n', '2:1 a semicolon is missing'],
  ['an open string', 'strings', '"a" = "b;\n', '1:7 a string is not closed'],
  ['a missing value', 'strings', '"a" = ;\n', '1:7 a value is missing'],
  ['an early end', 'strings', '"a" = "b"', '1:10 a semicolon is missing'],
  [
    'an open bracket',
    'pbxproj',
    project(GROUP.replace('			);', '')),
    '13:3 a closing bracket does not match',
  ],
  [
    'a missing comma',
    'pbxproj',
    project(GROUP.replace('*/,', `*/\n				${ID}02,`)),
    '10:5 a semicolon or a comma is missing',
  ],
  [
    'a dangling reference',
    'pbxproj',
    project(GROUP.replace(`				${ID}02`, `				${ID}55 /* Gone.swift */,\n				${ID}02`)),
    `9:5 it refers to the object ${ID}55, which isn't in the project`,
  ],
];

for (const [title, kind, text, expected] of invalid) {
  test(`${title} in a ${kind} is found`, async () => {
    const problem = await syntaxError(kind, text);
    assert.is(`${problem?.line}:${problem?.column} ${problem?.message}`, expected);
  });
}

test('a deeply nested file is refused, not read to the end of the stack', async () => {
  const problem = await syntaxError('xml', '<a>'.repeat(100_000));
  assert.is(problem?.message, 'it is nested too deeply');
});

test('a string of a megabyte without an end is read in linear time', async () => {
  const problem = await syntaxError('strings', `"${'a\\"'.repeat(500_000)}`);
  assert.is(problem?.message, 'a string is not closed');
});

test.run();
