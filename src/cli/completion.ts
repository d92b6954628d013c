import { knownRules } from '../checks/rules.js';
import { suggestion } from '../core/nearest.js';
import { type ParsedArguments, usage } from '../core/task.js';
import { HOOK_NAMES } from '../hooks/facts.js';
import type { CommandEnd } from '../session.js';
import type { OptionSpec } from './argv.js';
import { COMMANDS, type CommandSpec, GLOBAL_OPTIONS, SHELLS } from './commands.js';

/** `completion SHELL`: a script for the shell to load, from the table that parses the arguments. */
export async function completion({
  positionals: [shell = '', stray],
}: ParsedArguments): Promise<CommandEnd> {
  if (stray !== undefined) throw usage(`unexpected argument ${JSON.stringify(stray)}`);
  if (shell === 'bash') return { text: bash(), ending: 'done' };
  if (shell === 'zsh') return { text: zsh(), ending: 'done' };
  if (shell === 'fish') return { text: fish(), ending: 'done' };
  throw usage(
    `completion needs a shell, one of ${SHELLS.join(', ')}; found ${JSON.stringify(shell)}${suggestion(shell, SHELLS)}`,
  );
}

const NAMES = COMMANDS.map(({ name }) => name);

const HELP_COMMAND: CommandSpec = {
  name: 'help',
  summary: 'list the commands, or the options of one',
  synopsis: '[COMMAND]',
  words: NAMES,
  options: [],
};

const ALL: readonly CommandSpec[] = [...COMMANDS, HELP_COMMAND];

/** What can follow an option or a command; `nothing` for numbers, names and the like. */
type Values = readonly string[] | 'revisions' | 'files' | 'nothing';

function valuesOf({ value, choices }: OptionSpec): Values {
  if (choices !== undefined) return choices;
  if (value === 'REV' || value === 'A..B') return 'revisions';
  if (value === 'LIST') return HOOK_NAMES;
  return /FILE|DIR|PATH|REQUEST/.test(value ?? '') ? 'files' : 'nothing';
}

function argumentsOf({ name, words, synopsis }: CommandSpec): Values {
  if (name === 'explain') return knownRules();
  if (words !== undefined) return words;
  if (synopsis.startsWith('[RUN')) return 'revisions';
  return /FILE|PATH|REQUEST/.test(synopsis) ? 'files' : 'nothing';
}

const spellings = ({ name, short }: OptionSpec): string[] =>
  short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];

/** One word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Shells complete the first word, which would be npx. */
const WITH_NPX =
  "# Where it is not on the PATH: npx apfel-bot completion SHELL, and alias apfel-bot='npx apfel-bot'";

const REVISIONS = "git for-each-ref --format='%(refname:short)' 2>/dev/null";

function bash(): string {
  const cases = ALL.flatMap(command => [
    ...command.options.flatMap(option => {
      const reply = bashReply(valuesOf(option));
      if (option.value === undefined) return [];
      return `    ${quoted(`${command.name} --${option.name}`)}) ${reply} return ;;`;
    }),
  ]);
  const commands = ALL.map(command => {
    const options = quoted(command.options.flatMap(spellings).join(' '));
    return `    ${command.name}) options=${options}; ${bashReply(argumentsOf(command))} ;;`;
  });
  return `# bash completion of apfel-bot: source <(apfel-bot completion bash)
${WITH_NPX}
_apfel_bot() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} options=
  # In --format=json bash sees three words.
  if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    _apfel_bot_words ${quoted([...ALL.map(({ name }) => name), ...GLOBAL_OPTIONS.flatMap(spellings)].join(' '))}
    return
  fi
  case "\${COMP_WORDS[1]} $before" in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${commands.join('\n')}
  esac
  case "$word" in -*) _apfel_bot_words "$options" ;; esac
}
_apfel_bot_words() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_apfel_bot_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$word")); }
_apfel_bot_revisions() { _apfel_bot_words "$(${REVISIONS})"; }
complete -F _apfel_bot apfel-bot
`;
}

function bashReply(values: Values): string {
  if (values === 'nothing') return '';
  return typeof values === 'string'
    ? `_apfel_bot_${values};`
    : `_apfel_bot_words ${quoted(values.join(' '))};`;
}

function zsh(): string {
  const cases = ALL.map(command => {
    const specs = command.options.map(zshOption);
    const rest = quoted(`*:argument:${zshAction(argumentsOf(command))}`);
    return `    ${command.name}) _arguments ${[...specs, rest].join(' ')} ;;`;
  });
  const commands = ALL.map(({ name, summary }) =>
    quoted(`${name}:${summary.replaceAll(':', '\\:')}`),
  );
  return `#compdef apfel-bot
# zsh completion of apfel-bot: source <(apfel-bot completion zsh), after compinit
${WITH_NPX}
_apfel_bot_revisions() { local -a revisions; revisions=($(${REVISIONS})); compadd -a revisions }
_apfel_bot() {
  local -a commands
  commands=(${commands.join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; _arguments ${GLOBAL_OPTIONS.map(zshOption).join(' ')}; return; fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _apfel_bot apfel-bot
`;
}

function zshOption(option: OptionSpec): string {
  const { value, help } = option;
  const about = `[${help.replace(/[[\]\\]/g, '\\$&')}]`;
  // The `=` lets the value follow either a space or a `=`.
  const more = value === undefined ? about : `=${about}:${value}:${zshAction(valuesOf(option))}`;
  return spellings(option)
    .map(spelling => quoted(spelling + more))
    .join(' ');
}

function zshAction(values: Values): string {
  if (values === 'nothing') return ' ';
  if (values === 'files') return '_files';
  return values === 'revisions' ? '_apfel_bot_revisions' : `(${values.join(' ')})`;
}

function fish(): string {
  const lines = ALL.flatMap(command => {
    const when = quoted(`__fish_seen_subcommand_from ${command.name}`);
    const first = `-n __fish_use_subcommand -a ${command.name} -d ${fishQuoted(command.summary)}`;
    const rest = fishValues(argumentsOf(command));
    return [
      first,
      `-n ${when} ${rest}`,
      ...command.options.map(option => `-n ${when} ${fishOption(option)}`),
    ];
  });
  const global = GLOBAL_OPTIONS.map(option => `-n __fish_use_subcommand ${fishOption(option)}`);
  const all = ['-f', ...lines, ...global].map(line => `complete -c apfel-bot ${line}\n`);
  return `# fish completion of apfel-bot: apfel-bot completion fish | source\n${WITH_NPX}\n${all.join('')}`;
}

function fishOption(option: OptionSpec): string {
  const { name, short, value, help } = option;
  const names = short === undefined ? `-l ${name}` : `-l ${name} -s ${short}`;
  const values = value === undefined ? '' : ` ${fishValues(valuesOf(option))}`;
  return `${names}${values} -d ${fishQuoted(help)}`;
}

/** `-x`: a value must follow, and files aren't offered. */
function fishValues(values: Values): string {
  if (values === 'nothing') return '-x';
  if (values === 'files') return '-rF';
  return `-xa ${values === 'revisions' ? fishQuoted(`(${REVISIONS})`) : quoted(values.join(' '))}`;
}

/** fish escapes a quote inside the quotes. */
const fishQuoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
