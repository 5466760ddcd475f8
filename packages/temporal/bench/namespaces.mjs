// A network of its own for a trial: a namespace for each worker, joined by a bridge, whose cables can be pulled. All of it
// is in namespaces of the trial itself: it needs no root where users may have namespaces, it does not touch the network of
// the machine, and it is gone when the last process of the trial is, however that ended.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { argv, env, execArgv, execPath, exit, getuid } from 'node:process';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const INSIDE = 'ALAS_JSSP_TRIAL_NETWORK';

/** Subnet of the workers; the bridge is .1. */
const NET = '10.213.77';

/** The words before a command that give it namespaces; null where the machine does not let it. */
export function namespaceWords() {
  const root = ['unshare', '--net', '--mount'];
  const user = ['unshare', '--user', '--map-root-user', '--net', '--mount'];
  for (const [command, ...words] of getuid?.() === 0 ? [root, user] : [user]) {
    const probe = 'mount -t tmpfs none /run && ip link add probe type veth peer name other';
    const { status } = spawnSync(command, [...words, 'sh', '-c', probe], { stdio: 'ignore' });
    if (status === 0) return [command, ...words];
  }
  return null;
}

/**
 * Goes on in namespaces: outside of them it runs this program once more, within, and ends as that does.
 *
 * @returns {Promise<void>} only inside
 */
export async function enterNamespaces() {
  if (env[INSIDE] !== undefined) {
    // What was started here is killed at the exit, which no signal is by itself.
    for (const signal of SIGNALS) process.once(signal, () => exit(1));
    return;
  }
  const words = namespaceWords();
  if (words === null) {
    console.error(
      'no namespaces: this needs Linux with unshare and ip (util-linux, iproute2), as root or with namespaces of users',
    );
    exit(3);
  }
  const [command, ...rest] = [...words, execPath, ...execArgv, ...argv.slice(1)];
  const child = spawn(command, rest, { stdio: 'inherit', env: { ...env, [INSIDE]: '1' } });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  exit(code ?? 1);
}

/**
 * Joins namespaces by a bridge in the namespace of this process.
 *
 * @param {number} count
 */
export function createNetwork(count) {
  // The names of namespaces live in /run, which is the machine's.
  run('mount -t tmpfs none /run');
  run('ip link set lo up');
  run('ip link add bridge type bridge');
  run(`ip addr add ${NET}.1/24 dev bridge`);
  run('ip link set bridge up');
  const nodes = Array.from({ length: count }, (_, place) => addNode(place));
  return { ip: `${NET}.1`, nodes };
}

function addNode(place) {
  const name = `worker${place}`;
  const cable = `cable${place}`;
  run(`ip netns add ${name}`);
  run(`ip link add ${cable} type veth peer name eth0 netns ${name}`);
  run(`ip link set ${cable} master bridge up`);
  run(`ip -n ${name} addr add ${NET}.${place + 11}/24 dev eth0`);
  run(`ip -n ${name} link set eth0 up`);
  run(`ip -n ${name} link set lo up`);
  return {
    name,
    /** The words before a command that run it there. */
    within: ['nsenter', `--net=/run/netns/${name}`],
    cut: () => run(`ip link set ${cable} down`),
    mend: () => run(`ip link set ${cable} up`),
  };
}

function run(line) {
  const [command, ...words] = line.split(' ');
  execFileSync(command, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}
