import { join } from 'node:path'
import { runToEnd } from './child.mjs'
import { modulesFolder, root } from './paths.mjs'

export function lint(node) {
  return runToEnd([node, join(modulesFolder, '@biomejs', 'biome', 'bin', 'biome'), 'check', '.'], { cwd: root })
}

/** The console has its own TypeScript configuration, because it runs in a browser. */
export async function checkTypes(node) {
  const check = (project) =>
    runToEnd([node, join(modulesFolder, 'typescript', 'bin', 'tsc'), '-p', project], { cwd: root })
  return (await check('tsconfig.json')) || (await check('console/tsconfig.json'))
}
