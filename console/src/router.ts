import { createRouter } from '@tanstack/react-router'
import { PageLoading } from './components/page-loading.tsx'
import { routeTree } from './routes.ts'
import { PageError, SiteMissing } from './shell/page-error.tsx'

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  scrollRestoration: true,
  defaultErrorComponent: PageError,
  defaultPendingComponent: PageLoading,
  defaultNotFoundComponent: SiteMissing,
})

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address that was typed on the sign-in page. */
    email?: string
  }
  interface Register {
    router: typeof router
  }
}
