import type { Entry } from '../agent/question.js';
import { type WorkOptions, workOptions } from '../config/options.js';
import { BotError } from '../core/bot-error.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { type Git, userGitContext } from '../git/git.js';
import { gitSource } from '../git/source.js';
import type { Row } from '../platform/progress.js';
import { publishAnswer } from '../report/answer.js';
import { callLine, entryLine } from '../report/transcript-lines.js';
import { calibrated, needModel, spentAndLeft } from '../review/model.js';
import { openWork } from '../review/work.js';
import { keepRun } from '../runs/save.js';
import { openTranscripts } from '../runs/transcripts.js';
import type { CommandEnd, Session } from '../session.js';
import { answer } from './ask.js';

/** `ask "…"`: needs a model; answers from the files of a commit. */
export async function ask(parsed: ParsedArguments, session: Session): Promise<CommandEnd> {
  const question = questionIn(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, session);
  const { git, task, config, context } = opened;
  if (git === undefined) throw new BotError('bug', 'ask needs a repository');
  const at = await commitAsked(options, git);
  const deadlineAt = context.clock.now() + task.deadlineMs;
  const { runLog } = context;
  const model = await needModel('ask', options, { config, session, deadlineAt, runLog });
  const measured = await calibrated(model, session);
  try {
    const gitContext = { ...userGitContext(session), cwd: git.repository.top ?? session.cwd };
    const [base] = at === 'index' ? [] : await git.parents(at);
    const outcome = await context.progress.stage('Asking the model', row => {
      const progress = (): string => spentAndLeft(model, deadlineAt, context.clock);
      return answer(
        {
          question,
          at,
          source: gitSource({ git, context: gitContext, at, base }),
          model,
          protocol: options.model.protocol ?? config.model.protocol,
          ...measured,
          transcripts: options.isDryRun
            ? NO_TRANSCRIPTS
            : openTranscripts(git.repository.commonDir),
          onEntry: entry => show(entry, { row, options, session, progress }),
          deadlineMs: task.deadlineMs,
        },
        context,
        config,
      );
    });
    await keepRun(outcome, { opened, command: 'ask', parsed });
    return publishAnswer(outcome, options);
  } finally {
    await model.close();
  }
}

/** A dry run neither writes nor reads a transcript. */
const NO_TRANSCRIPTS = {
  recorded: () => new Map(),
  place: () => undefined,
  open: () => () => undefined,
};

function questionIn({ positionals: words }: ParsedArguments): string {
  const [question, stray] = words;
  if (question === undefined || question.trim() === '') {
    throw usage('ask needs a question: apfel-bot ask "Where is the version set?"');
  }
  if (stray !== undefined) {
    throw usage(
      `ask takes one question; put it in quotes (found ${JSON.stringify(stray)} after it)`,
    );
  }
  return question;
}

async function commitAsked({ selector }: WorkOptions, git: Git): Promise<string> {
  if (selector?.kind === 'commit') return git.resolve(selector.revision);
  // Before the first commit there is still an index to read.
  return git.repository.head ?? 'index';
}

/** Shows calls as they happen; with --verbose everything. */
function show(
  entry: Entry,
  {
    row,
    options,
    session,
    progress,
  }: { row: Row; options: WorkOptions; session: Session; progress: () => string },
): void {
  if (options.isVerbose) session.printError(entryLine(entry));
  else if (entry.type === 'call') row.line(callLine(entry));
  if (entry.type !== 'request') return;
  row.update(`request ${entry.number}, ${progress()}`);
}
