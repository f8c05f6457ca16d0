import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../../console/src', import.meta.url))
const prefixes: Record<string, string> = { rootRoute: '', shellRoute: '', workspaceRoute: '/w/$workspace' }
/** The parent routes of all pages. */
const parents = 'shell/root-routes.tsx'

/** The paths of the route tree, read from the source, so that a new page is always tested. */
export function routePaths(): string[] {
  return routeFiles().flatMap((file) => {
    const text = read(file)
    const declared = [...text.matchAll(/getParentRoute: \(\) => (\w+),\s*path: '([^']+)'/g)]
    if (declared.length !== text.split('createRoute({').length - 1) throw new Error(`${file} declares routes otherwise`)
    return declared.map(([, parent = '', path]) => `${prefixes[parent] ?? parent}${path}`)
  })
}

/** Files that declare routes where `routePaths` does not look, and route lists that are not in the tree. */
export function strayRoutes(): string[] {
  const known = new Set([parents, ...routeFiles()])
  const elsewhere = globSync('**/*.{ts,tsx}', { cwd: source }).filter(
    (file) => !known.has(file) && /\bcreate\w*Route\(/.test(read(file)),
  )
  const tree = read('routes.ts')
  const unhung = routeFiles()
    .flatMap((file) => [...read(file).matchAll(/const (\w+) = \[/g)].map(([, name = '']) => name))
    .filter((name) => !tree.includes(`...${name}`))
  return [...elsewhere, ...unhung]
}

function routeFiles(): string[] {
  return globSync('*routes.ts', { cwd: source })
}

function read(file: string): string {
  return readFileSync(join(source, file), 'utf8')
}
