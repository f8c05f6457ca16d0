import { Anchor } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A typed link that looks like one. */
export const LinkText = createLink(Anchor<'a'>)
