import { contenderOf } from './contender.js';
import { runSetting } from './run-setting.js';
import { SETTINGS } from './settings.js';

// A process of its own for each contender: `node run-contender.js NAME [SETTING]`, a score a line.
const [, , name = '', part = ''] = process.argv;
const contender = await contenderOf(name);
for (const setting of SETTINGS.filter(one => one.name.includes(part))) {
  process.stdout.write(`${JSON.stringify(await runSetting(contender, setting))}\n`);
}
// Some packages keep timers or connections open.
process.exit(0);
