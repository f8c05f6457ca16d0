#!/usr/bin/env node
/** The entry of the command. It is not built, because npm links a command only if its file exists when npm installs it. */
import { existsSync } from 'node:fs'

const main = new URL('../dist/main.js', import.meta.url)
if (existsSync(main)) await import(main.href)
else {
  console.error('tocsin: The command is not built. Run `npm run build`, or use `npm run tocsin -- <command>`.')
  process.exitCode = 1
}
