import { userSpot } from '../adapters/git/git.js';
import { gitSource } from '../adapters/git/git-source.js';
import { nodeFiles } from '../adapters/node-files.js';
import { openTranscripts } from '../adapters/records/transcripts.js';
import type { Entry } from '../agent/transcript.js';
import { answer } from '../answer.js';
import { BotError } from '../core/failure.js';
import type { Model } from '../core/model.js';
import type { AnswerOutcome } from '../core/outcome.js';
import { callLine, entryLine } from '../publish/entry-text.js';
import { streamedWords } from '../publish/streamed-words.js';
import { answerJson, answerMarkdown, answerText } from '../publish/to-answer.js';
import { type Parsed, usage } from '../trigger/parse-argv.js';
import { type WorkOptions, workOptions } from '../trigger/work-options.js';
import type { Git, Row } from '../world.js';
import { type CommandEnd, type Desk, openWork } from './desk.js';
import { keepRun } from './keep-run.js';
import { needModel } from './need-model.js';
import { calibrated } from './open-model.js';

/** `ask "…"`: needs a model; answers from the files of a commit. */
export async function ask(parsed: Parsed, desk: Desk): Promise<CommandEnd> {
  const question = questionIn(parsed);
  const options = workOptions(parsed);
  const opened = await openWork(options, desk);
  const { git, task, config, world } = opened;
  if (git === undefined) throw new BotError('bug', 'ask has no repository');
  const at = await commitAsked(options, git);
  const deadlineAt = world.clock.now() + task.deadlineMs;
  const { diary } = world;
  const model = await needModel('ask', options, { config, desk, deadlineAt, diary });
  const measured = await calibrated(model, desk);
  try {
    const spot = { ...userSpot(desk), cwd: git.repository.top ?? desk.cwd };
    const [base] = at === 'index' ? [] : await git.parents(at);
    const outcome = await world.progress.stage('Asking the model', row => {
      const words = streamedWords(row.tell);
      return answer(
        {
          text: question,
          at,
          source: gitSource({ git, spot, at, base }),
          model,
          protocol: options.model.protocol ?? config.model.protocol,
          ...measured,
          transcripts: options.isDryRun
            ? NO_TRANSCRIPTS
            : openTranscripts(git.repository.commonDir),
          onEntry: entry => {
            if (entry.type === 'request') words.restart();
            tell(entry, { row, options, desk, model, deadlineAt, now: world.clock.now });
          },
          onText: words.add,
          deadlineMs: task.deadlineMs,
        },
        world,
        config,
      );
    });
    await keepRun(outcome, { opened, command: 'ask', parsed });
    if (options.out !== undefined) await nodeFiles.write(options.out, answerJson(outcome));
    const ending = options.isStrict && !outcome.complete ? 'incomplete' : 'done';
    return { text: render(outcome, options), ending };
  } finally {
    await model.close();
  }
}

/** A dry run leaves no record, and looks for none. */
const NO_TRANSCRIPTS = {
  recorded: () => new Map(),
  place: () => undefined,
  open: () => () => undefined,
};

function questionIn({ words }: Parsed): string {
  const [question, stray] = words;
  if (question === undefined || question.trim() === '') {
    throw usage('ask needs a question: apfel-bot ask "Where is the version set?"');
  }
  if (stray !== undefined) {
    throw usage(
      `ask takes one question; put it in quotes (found ${JSON.stringify(stray)} behind it)`,
    );
  }
  return question;
}

async function commitAsked({ selector }: WorkOptions, git: Git): Promise<string> {
  if (selector?.kind === 'commit') return git.resolve(selector.revision);
  // Before the first commit there is still an index to look at.
  return git.repository.head ?? 'index';
}

interface Telling {
  readonly row: Row;
  readonly options: WorkOptions;
  readonly desk: Desk;
  readonly model: Model;
  readonly deadlineAt: number;
  readonly now: () => number;
}

/** Calls are told as they happen; with --verbose everything is. */
function tell(entry: Entry, { row, options, desk, model, deadlineAt, now }: Telling): void {
  if (options.isVerbose) desk.say(entryLine(entry));
  else if (entry.type === 'call') row.line(callLine(entry));
  if (entry.type !== 'request') return;
  const { promptTokens, completionTokens } = model.usage();
  const left = Math.max(0, Math.round((deadlineAt - now()) / 1000));
  row.tell(`request ${entry.number}, ${promptTokens + completionTokens} tokens, ${left} s left`);
}

function render(outcome: AnswerOutcome, { format }: WorkOptions): string {
  if (format === 'json') return answerJson(outcome);
  return format === 'markdown' ? answerMarkdown(outcome) : answerText(outcome);
}
