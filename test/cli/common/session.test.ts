import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import {
  type CommandProcess,
  onInterruption,
  type Session,
} from '../../../src/cli/common/session.js';

function sessionOf(quiet: boolean) {
  const signals = new EventEmitter();
  const stderr: string[] = [];
  const exit = vi.fn();
  const write = (text: string) => stderr.push(text) > 0;
  const host = Object.assign(signals, { exit, stderr: { write } }) as unknown as CommandProcess;
  const notRead = new Set<string>();
  const session: Session = { program: 'alas-jssp', host, args: [], quiet, notRead, exitCode: 0 };
  return { session, signals, stderr, exit };
}

it.each(['SIGINT', 'SIGTERM'])('%s ends a command in order, a second one immediately', (name) => {
  const { session, signals, stderr, exit } = sessionOf(false);
  const stop = vi.fn();
  onInterruption(session, stop, 'the search ends with the best so far');
  signals.emit(name);
  expect(stop).toHaveBeenCalledOnce();
  expect(exit).not.toHaveBeenCalled();
  expect(stderr).toEqual([
    'interrupted: the search ends with the best so far; Ctrl-C again ends the process\n',
  ]);
  signals.emit(name);
  expect(exit).toHaveBeenCalledWith(130);
});

it('prints nothing if the session is quiet, and stops listening when the command is done', () => {
  const { session, signals, stderr, exit } = sessionOf(true);
  const stop = vi.fn();
  const deafen = onInterruption(session, stop, 'it ends');
  signals.emit('SIGINT');
  expect(stderr).toEqual([]);
  deafen();
  signals.emit('SIGINT');
  expect(stop).toHaveBeenCalledOnce();
  expect(exit).not.toHaveBeenCalled();
});
