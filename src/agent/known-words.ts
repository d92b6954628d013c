import { bare } from './nearest-name.js';

/**
 * Words that models use for a tool or a parameter of this meaning. A word may stand under several
 * heads; it counts only where one of them is on offer. None asks for something else: `write_file`
 * replaces a whole file, so it is no word for `edit_file`.
 */
const TOOL_WORDS: Readonly<Record<string, string>> = {
  read_file:
    'open_file cat read view_file view open get_file show_file file_read load_file ' +
    'get_file_content get_file_contents read_file_content read_text_file',
  list_dir: 'ls list list_files list_directory list_folder dir read_dir list_dir_contents',
  search_code:
    'grep search code_search search_files find_in_files search_text ripgrep rg ' +
    'search_repository git_grep',
  read_diff: 'diff git_diff get_diff show_diff view_diff',
  file_history: 'git_log log history get_history get_file_history show_history',
  get_time:
    'time now current_time get_current_time get_date get_datetime get_current_date_time ' + 'clock',
  edit_file:
    'edit replace str_replace replace_in_file modify_file change_file search_replace ' +
    'replace_text edit_text apply_edit update_file',
  report_finding: 'report add_finding report_issue report_problem comment add_comment report_bug',
  finish:
    'done final_answer answer submit complete end respond reply stop task_done ' +
    'finish_task give_answer',
};

const PARAMETER_WORDS: Readonly<Record<string, string>> = {
  path:
    'file filename file_name filepath file_path fullpath target_file dir directory folder ' +
    'dirname pathname relative_path target',
  oldText:
    'old search old_text old_string old_str original original_text find before from ' +
    'search_text old_code old_content old_value',
  newText:
    'new replace new_text new_string new_str replacement replace_with after to ' +
    'replace_text updated updated_text new_code new_content new_value',
  query:
    'q pattern search term search_term terms keyword keywords search_query query_string ' +
    'text regex string search_string needle',
  startLine: 'start from_line line_start begin_line first_line offset line_from',
  endLine: 'end to_line line_end last_line line_to stop_line',
  answer: 'text message response final_answer summary content reply final conclusion',
  line: 'line_number line_no lineno mark at_line anchor',
  quote: 'code snippet code_snippet evidence excerpt quoted_code',
  severity: 'level priority importance',
  message: 'description comment issue problem text finding explanation title',
};

/** Keys that models add to any call, outputs among them; never taken for a parameter that is missing. */
const NOISE = new Set(
  [
    'encoding language lang country locale format mode limit max count recursive',
    'reason reasoning explanation thought type id timezone user verbose timeout',
    'version num_results max_results unit units date status success error result',
    'output ok description name num',
  ]
    .flatMap(line => line.split(' '))
    .map(bare),
);

/** The offered tools that this is a known word for. */
export const toolsMeant = (said: string, names: readonly string[]): string[] =>
  names.filter(name => hasWord(TOOL_WORDS[name], said));

/** The parameters, of those asked about, that this is a known word for. `q` and `query` mean each other. */
export const parametersMeant = (said: string, names: readonly string[]): string[] =>
  names.filter(name => hasWord(PARAMETER_WORDS[familyOf(name)], said) || isFamily(name, said));

/** Also by its first word: `status_name` is as much noise as `status`. */
export const isNoise = (key: string): boolean =>
  NOISE.has(bare(key)) || NOISE.has(bare(key.split(/[^A-Za-z]|(?=[A-Z])/, 1)[0] ?? ''));

const hasWord = (words: string | undefined, said: string): boolean =>
  words?.split(' ').some(word => bare(word) === bare(said)) ?? false;

/** A parameter called `q` belongs to the words for `query`. */
const familyOf = (name: string): string =>
  name in PARAMETER_WORDS
    ? name
    : (Object.keys(PARAMETER_WORDS).find(family => hasWord(PARAMETER_WORDS[family], name)) ?? name);

const isFamily = (name: string, said: string): boolean =>
  familyOf(name) !== name && bare(familyOf(name)) === bare(said);
