import { ensureInstalled } from './install.mjs'
import { chooseNode } from './runtime.mjs'
import { ensureWeb } from './web.mjs'

/** Installs everything that is needed and returns the Node to run with. An error is printed without a stack trace. */
export async function prepare({ dev, web = false }) {
  try {
    const node = await chooseNode()
    await ensureInstalled(node, { dev })
    if (web) await ensureWeb(node)
    return node
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
