import { join } from 'node:path'
import { runToEnd } from '../../../scripts/child.mjs'
import { withLock } from '../../../scripts/lock.mjs'
import { locksFolder, modulesFolder } from '../../../scripts/paths.mjs'

/** Downloads Chromium with Playwright, which shows its progress. Where the network drops packets, it gives up after seconds and not minutes. */
const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000', ...process.env }
const command = [
  process.execPath,
  join(modulesFolder, 'playwright-core', 'cli.js'),
  'install',
  '--no-shell',
  'chromium',
]
process.exit(await withLock(join(locksFolder, 'playwright'), () => runToEnd(command, { env })))
