import { type Route, routes } from '@tocsin/contract'
import type { Plugin } from 'vite'

const virtual = '\0route-table'

/**
 * The browser calls routes and parses no payloads, so what calls gets the table without its schemas: 40 kB less in
 * the first load. Pages that do check payloads import the schemas they need, and those come with the page.
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

function bareRoutes(): Record<string, Pick<Route, 'method' | 'path' | 'noun' | 'events'>> {
  const bare = Object.entries<Route>(routes).map(([name, { method, path, noun, events }]) => [
    name,
    { method, path, noun, ...(events && { events }) },
  ])
  return Object.fromEntries(bare)
}
