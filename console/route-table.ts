import type { Plugin } from 'vite'
// By its path: Vite loads this file outside its own resolution, where the package would be its last build.
import { type Route, routes } from '../contract/src/index.ts'

const virtual = '\0route-table'

/**
 * Replaces the route table of the contract by one without schemas, because the SDK client in the browser parses no
 * payloads. This saves 40 kB in the first load. Pages that check payloads import the schemas they need.
 */
export function routeTable(): Plugin {
  return {
    name: 'route-table',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === '@tocsin/contract' && /\/(sdk\/src\/client|console\/src\/data\/api)\.ts$/.test(importer ?? '')
        ? virtual
        : undefined,
    load: (id) => (id === virtual ? `export const routes = ${JSON.stringify(bareRoutes())}` : undefined),
  }
}

function bareRoutes(): Record<string, Pick<Route, 'method' | 'path' | 'noun' | 'events' | 'list'>> {
  const bare = Object.entries<Route>(routes).map(([name, { method, path, noun, events, list }]) => [
    name,
    { method, path, noun, ...(events && { events }), ...(list && { list }) },
  ])
  return Object.fromEntries(bare)
}
