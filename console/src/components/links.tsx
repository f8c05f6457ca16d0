import { Anchor, Button } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

function AnchorButton(props: ComponentProps<typeof Button<'a'>>) {
  return <Button component="a" {...props} />
}

/** A typed link that looks like a button. */
export const LinkButton = createLink(AnchorButton)

/** A typed link that looks like one. */
export const LinkText = createLink(Anchor<'a'>)
