export interface TaintedExpression {
  /** The context's path, e.g. `github.event.issue.title`. */
  readonly source: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The first `${{ … }}` on a line that puts text of a stranger's choosing there. Numbers, ids and
 * conditions are no such text: a comparison gives only true or false.
 */
export function taintedExpression(text: string): TaintedExpression | undefined {
  for (const { start, end, inner } of expressions(text)) {
    const source = taintOf(inner);
    if (source !== undefined) return { source, start, end };
  }
  return undefined;
}

interface Expression {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

/** Each `${{ … }}` of a line; the last one may go on behind the line's end. */
export function* expressions(text: string): Generator<Expression> {
  let start = text.indexOf('${{');
  while (start !== -1) {
    const close = text.indexOf('}}', start);
    const end = close === -1 ? text.length : close + 2;
    yield { start, end, inner: text.slice(start + 3, close === -1 ? end : close) };
    start = text.indexOf('${{', end);
  }
}

function taintOf(expression: string): string | undefined {
  if (!expression.includes('github')) return undefined;
  const plain = expression
    .replace(/\[\s*'([\w-]+)'\s*\]/g, '.$1')
    .replace(/\[\s*(?:\d+|\*)\s*\]/g, '.*')
    .toLowerCase();
  for (const operand of plain.split(/&&|\|\|/)) {
    if (YIELDS_BOOLEAN.test(operand)) continue;
    const source = TAINTED.exec(operand)?.[0];
    if (source !== undefined) return source;
  }
  return undefined;
}

const YIELDS_BOOLEAN = /[=!]=|[<>]|^[\s(]*(?:!|contains\s*\(|startswith\s*\(|endswith\s*\()/;

// Fields that GitHub lists as untrusted input: people without any right to the repository fill them.
const AUTHOR = '(?:author|committer)\\.(?:name|email)';
const EVENT_FIELDS = [
  '(?:issue|discussion)\\.(?:title|body)',
  'pull_request\\.(?:title|body)',
  'pull_request\\.head\\.(?:ref|label)',
  'pull_request\\.head\\.repo\\.(?:default_branch|description|homepage)',
  '(?:comment|review|review_comment)\\.body',
  'pages\\.(?:\\*|\\w+)\\.page_name',
  `(?:head_commit|commits\\.(?:\\*|\\w+))\\.(?:message|${AUTHOR})`,
  'workflow_run\\.(?:head_branch|display_title)',
  `workflow_run\\.head_commit\\.(?:message|${AUTHOR})`,
  'workflow_run\\.pull_requests\\.(?:\\*|\\w+)\\.head\\.ref',
].join('|');

const TAINTED = new RegExp(
  `\\bgithub\\.head_ref\\b|\\bgithub\\.event\\.(?:${EVENT_FIELDS})\\b|\\btojson\\(\\s*github(?:\\.event(?:\\.\\w+)?)?\\s*\\)`,
);
