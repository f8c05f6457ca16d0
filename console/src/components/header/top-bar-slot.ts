import { createContext } from 'react'

/** The element in the top bar where the current page renders its breadcrumbs. Null outside the shell. */
export const TopBarSlot = createContext<HTMLElement | null>(null)
