/** A fast linter: it reports three words, and can fix one of them. */
const LINTER = `if [ "$1" = --fix ]; then
  shift
  for file in "$@"; do
    sed 's/alpha/Alpha/' "$file" > "$file.new" && cat "$file.new" > "$file" && rm "$file.new"
  done
  exit 0
fi
awk 'match($0, /alpha|beta|gamma/) {
  word = substr($0, RSTART, RLENGTH)
  print FILENAME ":" FNR ":1: error: " word " [" word "]"
}' "$@"
`;

const lint = [
  {
    name: 'words',
    command: ['sh', 'words.lint', '{files}'],
    fix: ['sh', 'words.lint', '--fix', '{files}'],
    format: 'gcc',
    files: ['**/*.txt'],
  },
];

/** The files of a project with that linter; more settings may be given. */
export const wordsProject = (
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> => ({
  'words.lint': LINTER,
  '.apfel-bot.json': JSON.stringify({ lint, ...more }),
});
