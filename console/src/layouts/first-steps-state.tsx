import type { ComponentProps } from 'react'
import { EmptyState } from '../components/empty-state.tsx'
import { LinkButton } from '../components/links.tsx'

/** An empty state for newcomers: the first steps are the main action, `children` are the other ones. */
export function FirstStepsState({ children, ...state }: ComponentProps<typeof EmptyState>) {
  return (
    <EmptyState {...state}>
      <LinkButton to="/first-steps">Start first steps</LinkButton>
      {children}
    </EmptyState>
  )
}
