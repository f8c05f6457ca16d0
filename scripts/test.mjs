import { join } from 'node:path'
import { runToEnd } from './child.mjs'
import { modulesFolder, root } from './paths.mjs'
import { prepare } from './prepare.mjs'

// `npm test` runs all tests except tests/long; `npm run test:long` runs tests/long.
const [part, ...args] = process.argv.slice(2)
const node = await prepare({ dev: true, web: true })
const vitest = join(modulesFolder, 'vitest', 'vitest.mjs')
process.exit(await runToEnd([node, vitest, 'run', ...args], { cwd: root, env: { ...process.env, TEST_PART: part } }))
