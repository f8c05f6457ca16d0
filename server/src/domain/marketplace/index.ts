/** The public projects that come with the service: read from `marketplace/`, applied as a stack, updated unless edited. */
export { installMarketplace, type MarketplaceDeps, type StackCalls } from './install.ts'
