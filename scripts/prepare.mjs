import { ensureConsole } from './console.mjs'
import { ensureInstalled } from './install.mjs'
import { chooseNode } from './runtime.mjs'

/** The Node to run with, after everything that it needs is there. What goes wrong is told without a stack trace. */
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
