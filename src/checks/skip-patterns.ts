import type { CodePattern } from './code-pattern.js';

const message = (what: string): string =>
  `${what} leaves this test out. Mend it, or say in an issue why it has to wait.`;

/** How tests are skipped in languages other than JavaScript, where one line tells. */
export const SKIP_PATTERNS: readonly CodePattern[] = [
  {
    languages: ['python'],
    hints: ['mark.skip', '@unittest.skip', '@skip'],
    pattern:
      /^\s*@pytest\.mark\.skip\b|^\s*@(?:unittest\.)?skip\s*(?:\(|$)|\b(?:pytestmark|marks)\s*=\s*\[?\s*pytest\.mark\.skip\b/,
    message: message('The skip mark'),
    isOnlyInTests: true,
  },
  {
    languages: ['python'],
    hints: ['pytest.skip', 'skipTest'],
    pattern: /^\s*(?:pytest\.skip|self\.skipTest)\s*\(/,
    message: message('This call'),
    isOnlyInTests: true,
    unlessConditional: true,
  },
  {
    languages: ['ruby'],
    hints: ['xit', 'xdescribe', 'xcontext', 'xspecify', 'xexample', 'xfeature', 'xscenario'],
    pattern:
      /^\s*(?:RSpec\.)?(?:xit|xdescribe|xcontext|xspecify|xexample|xfeature|xscenario)(?:\s+["'\w:{]|\s*\(|\s*\{)/,
    message: message('The leading `x`'),
    isOnlyInTests: true,
  },
  {
    languages: ['ruby'],
    hints: ['skip'],
    pattern: /,\s*(?::skip\b|skip:\s*(?:true\b|["']))|^\s*skip(?:\s*$|\s+["']|\s*\()/,
    message: message('`skip`'),
    isOnlyInTests: true,
    unlessConditional: true,
  },
  {
    languages: ['go'],
    hints: ['.Skip'],
    pattern: /^\s*[tbf]\.Skip(?:f|Now)?\(/,
    message: message('This call'),
    isOnlyInTests: true,
    unlessConditional: true,
  },
  {
    languages: ['go'],
    hints: ['PIt', 'XIt', 'Describe', 'Context', 'PWhen', 'XWhen', 'Entry', 'Specify'],
    pattern:
      /(?:^|[^\w.]|\bginkgo\.)[PX](?:It|Describe|Context|When|Entry|Specify|DescribeTable)\(/,
    message: message('The leading `P` or `X`'),
    isOnlyInTests: true,
  },
  {
    languages: ['rust'],
    hints: ['ignore'],
    pattern: /#\[\s*ignore\s*(?:\]|=)/,
    message: message('`#[ignore]`'),
  },
  {
    languages: ['swift'],
    hints: ['XCTSkip('],
    pattern: /\bthrow\s+XCTSkip\(/,
    message: message('`XCTSkip`'),
    unlessConditional: true,
  },
  {
    languages: ['swift'],
    hints: ['.disabled('],
    // SwiftUI has a modifier of that name, and `.disabled(if:)` is a condition.
    pattern: /^\s*@(?:Test|Suite)\b.*\.disabled\(\s*["')]/,
    message: message('`.disabled`'),
  },
  {
    languages: ['swift'],
    hints: ['.disabled('],
    pattern: /^\s*\.disabled\(\s*"/,
    message: message('`.disabled`'),
    isOnlyInTests: true,
  },
  {
    languages: ['swift'],
    hints: ['xit', 'xdescribe', 'xcontext'],
    pattern: /^\s*(?:xit|xdescribe|xcontext)\s*\(/,
    message: message('The leading `x`'),
    isOnlyInTests: true,
  },
  {
    languages: ['java'],
    hints: ['@Disabled', '@Ignore', 'enabled'],
    pattern: /@(?:Disabled|Ignore)(?!\w)|@Test\s*\([^)@]*\benabled\s*=\s*false\b/,
    message: message('This annotation'),
    isOnlyInTests: true,
  },
  {
    languages: ['csharp'],
    hints: ['Ignore', 'Skip'],
    pattern: /\[\s*Ignore\s*[\](]|\b(?:Fact|Theory|InlineData)\s*\([^()]*\bSkip\s*=/,
    message: message('This attribute'),
    isOnlyInTests: true,
  },
  {
    languages: ['php'],
    hints: ['markTestSkipped', '->skip('],
    pattern: /(?:\$this->|self::|static::)markTestSkipped\(|\)\s*->skip\(\s*["')]/,
    message: message('This call'),
    isOnlyInTests: true,
    unlessConditional: true,
  },
  {
    languages: ['elixir'],
    hints: ['skip'],
    pattern: /^\s*@(?:module|describe)?tag\s+(?::skip\b|skip:\s*(?:true\b|"))/,
    message: message('The `skip` tag'),
    isOnlyInTests: true,
  },
];
