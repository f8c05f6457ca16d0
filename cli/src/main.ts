#!/usr/bin/env node
/** The entry of the command `tocsin`. Only this file reads the process; everything else gets a `System`. */
import { run } from './run.ts'

// `tocsin alerts | head` closes the pipe early. The code is the one that a shell gives to a command that SIGPIPE ended.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(141)
})

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
