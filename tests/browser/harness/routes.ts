import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const pages = fileURLToPath(new URL('../../../console/src/pages', import.meta.url))
const prefixes: Record<string, string> = { rootRoute: '', shellRoute: '', workspaceRoute: '/w/$workspace' }

/** The paths of the route tree, read from where they are declared: a page that is added cannot be forgotten here. */
export function routePaths(): string[] {
  return globSync('**/*routes.ts', { cwd: pages }).flatMap((file) => {
    const text = readFileSync(join(pages, file), 'utf8')
    const declared = [...text.matchAll(/getParentRoute: \(\) => (\w+),\s*path: '([^']+)'/g)]
    if (declared.length !== text.split('createRoute({').length - 1) throw new Error(`${file} declares routes otherwise`)
    return declared.map(([, parent = '', path]) => `${prefixes[parent] ?? parent}${path}`)
  })
}
