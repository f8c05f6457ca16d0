#!/usr/bin/env node
/** The entry of the command `tocsin`. Only this file reads the process; everything else gets a `System`. */
import { run } from './run.ts'

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  isTerminal: {
    in: process.stdin.isTTY === true,
    out: process.stdout.isTTY === true,
    // A terminal without a width, such as one of a container, can show neither a question nor progress.
    err: process.stderr.isTTY === true && process.stderr.columns > 0,
  },
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
})
