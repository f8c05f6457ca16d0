import { runToEnd } from './child.mjs'
import { prepare } from './prepare.mjs'
import { serviceFlags, typeScriptCommand } from './typescript.mjs'

const node = await prepare({ dev: false, web: true })
const flags = [...serviceFlags, '--import', new URL('follow-parent.mjs', import.meta.url).href]
const [command, options] = typeScriptCommand(node, 'server/src/main.ts', process.argv.slice(2), flags)
process.exit(await runToEnd(command, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
