import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { routeTable } from './route-table.ts'

/** The server replaces this word by a fresh nonce in every page it answers. */
const noncePlaceholder = '__NONCE__'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [routeTable(), react()],
  html: { cspNonce: noncePlaceholder },
  build: {
    target: 'es2023',
    // Data URLs would need a looser content security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4100' } },
})
