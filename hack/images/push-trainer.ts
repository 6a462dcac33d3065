// The process that makes the trainer's image while people work: push-trainer.ts CLUSTER NODES. It says how it went in a file.
import { layout } from '../layout.ts';
import { unregisterSelf } from '../process.ts';
import { pushTrainer, TRAINER_PROCESS } from './trainer.ts';

const [name = 'gantry', nodes = '1'] = process.argv.slice(2);
const cluster = layout(name, Number(nodes));
await pushTrainer(cluster);
await unregisterSelf(cluster, TRAINER_PROCESS);
