import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { lateStyles } from './late-styles.ts'
import { routeTable } from './route-table.ts'

/** The server replaces this placeholder by a new nonce in every response. */
const noncePlaceholder = '__NONCE__'

/**
 * Without groups, every set of modules that the same pages share is a file of its own. A first visit to the alerts was 108
 * files then, most of them about 1 kB. On a slow line a request takes longer than sending 1 kB.
 */
const chunks = [
  // What every visit loads.
  { name: 'first', tags: ['$initial' as const], priority: 2 },
  // What many pages share. With a lower count pages load more that they do not need; with a higher one, more files.
  { name: 'common', minShareCount: 20, priority: 1 },
]

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
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  server: { proxy: { '/api': process.env.API ?? 'http://127.0.0.1:4100' } },
})
