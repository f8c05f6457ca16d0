import { runToEnd } from './child.mjs'
import { prepare } from './prepare.mjs'
import { serviceFlags, typeScriptCommand } from './typescript.mjs'

const usage = `Usage: npm start
Starts the service. All options are environment variables: see docs/configuration.md.`
const [argument] = process.argv.slice(2)
if (argument !== undefined) {
  const isHelp = argument === '--help' || argument === '-h'
  console[isHelp ? 'log' : 'error'](isHelp ? usage : `npm start takes no argument ${argument}.\n${usage}`)
  process.exit(isHelp ? 0 : 2)
}
const node = await prepare({ dev: false, web: true })
const flags = [...serviceFlags, '--import', new URL('follow-parent.mjs', import.meta.url).href]
const [command, options] = typeScriptCommand(node, 'server/src/main.ts', process.argv.slice(2), flags)
process.exit(await runToEnd(command, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
