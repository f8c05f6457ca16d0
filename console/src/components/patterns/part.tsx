import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

type PartProps = { title: string; isLarge?: boolean; children: ReactNode }

/** A part of a section, with its own title. */
export function Part({ title, isLarge = false, children }: PartProps) {
  return (
    <section aria-label={title}>
      <Title order={3} size={isLarge ? 'h4' : 'h5'} mb={isLarge ? 'sm' : 'xs'}>
        {title}
      </Title>
      {children}
    </section>
  )
}
