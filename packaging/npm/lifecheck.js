#!/usr/bin/env node
// Runs the program for this machine, which is a package of its own, with the same arguments; its end is ours.
'use strict';
const { spawn } = require('child_process');
const os = require('os');

const name = `lifecheck-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/lifecheck`);
} catch {
  console.error(`lifecheck: there is no package ${name}: this system is not supported, or optional dependencies were left out`);
  process.exit(4);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
  process.on(signal, () => {
    // Ctrl-C of a terminal reaches the program without us.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on('error', (error) => {
  console.error(`lifecheck: ${program} cannot be run: ${error.message}`);
  process.exit(4);
});
child.on('exit', (code, signal) => process.exit(signal ? 128 + os.constants.signals[signal] : code));
