import '@fontsource-variable/inter/wght.css'
import './mantine-styles.ts'
import './tokens.css'
import './base.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { nonce } from './data/nonce.ts'
import { onSignedOut, queryClient } from './data/query-client.ts'
import { router } from './router.ts'
import { cssVariables, theme } from './theme.ts'

const colorSchemes = localStorageColorSchemeManager({ key: 'tocsin-color-scheme' })

onSignedOut(() => {
  const { pathname, href } = router.state.location
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href }, replace: true })
})

// If a file is missing, as after an update of the service, the router reloads the page once. It recognises such an error by the
// beginning of its message. Without a connection a reload would replace the console by the browser's own error page.
addEventListener('vite:preloadError', ({ payload }) => {
  if (!navigator.onLine) payload.message = `Offline: ${payload.message}`
})

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root element.')
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
)
