/** Whether lines of shell may stand in a hook. Without a first line of its own git has a shell run it. */
export function isShellScript(text: string): boolean {
  const [first = ''] = text.slice(0, LONGEST_LINE).split('\n', 1);
  if (!first.startsWith('#!')) return true;
  const words = first.slice(2).trim().split(/\s+/);
  const names = words.map(word => word.slice(word.lastIndexOf('/') + 1));
  // `env -S A=1 bash -e` is bash.
  const isEnv = names[0] === 'env';
  const program = isEnv ? names.slice(1).find(name => !/^-|=/.test(name)) : names[0];
  return /^(?:ba|da|a|z|k|mk|pdk|ya)?sh(?:\.exe)?$/.test(program ?? 'sh');
}

/** Longer than any kernel reads. */
const LONGEST_LINE = 4096;
