import type { Bot } from '../../../engine/destinations/telegram/bot.ts'
import type { Store } from '../../../store/index.ts'

/** What every part of the bot needs. */
export type BotDeps = { store: Store; bot: Bot; clock: () => Date }
