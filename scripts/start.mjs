import { runToEnd } from './child.mjs'
import { prepare } from './prepare.mjs'
import { typeScriptCommand } from './typescript.mjs'

const node = await prepare({ dev: false, console: true })
const followParent = ['--import', new URL('follow-parent.mjs', import.meta.url).href]
const [command, options] = typeScriptCommand(node, 'server/src/main.ts', process.argv.slice(2), followParent)
process.exit(await runToEnd(command, { ...options, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] }))
