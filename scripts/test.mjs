import { join } from 'node:path'
import { runToEnd } from './child.mjs'
import { modulesFolder, root } from './paths.mjs'
import { prepare } from './prepare.mjs'

const node = await prepare({ dev: true, console: true })
const vitest = join(modulesFolder, 'vitest', 'vitest.mjs')
process.exit(await runToEnd([node, vitest, 'run', ...process.argv.slice(2)], { cwd: root }))
