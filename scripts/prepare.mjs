import { ensureConsole } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { chooseNode } from './runtime.mjs'

/** Installs everything that is needed and returns the Node to run with. An error is printed without a stack trace. */
export async function prepare({ dev, console: withConsole = false }) {
  try {
    const node = await chooseNode()
    await ensureInstalled(node, { dev })
    if (withConsole) await ensureConsole(node)
    return node
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
