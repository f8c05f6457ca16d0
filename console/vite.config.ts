import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { lateStyles } from './late-styles.ts'
import { routeTable } from './route-table.ts'

/** The server replaces this placeholder by a new nonce in every response. */
const noncePlaceholder = '__NONCE__'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [routeTable(), lateStyles(), react()],
  resolve: { conditions: ['@tocsin/source', ...defaultClientConditions] },
  html: { cspNonce: noncePlaceholder },
  build: {
    target: 'es2023',
    // Browsers that support `light-dark()`. The fallback for older ones would ignore the user's choice of scheme.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Data URLs would need a looser content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': process.env.API ?? 'http://127.0.0.1:4100' } },
})
