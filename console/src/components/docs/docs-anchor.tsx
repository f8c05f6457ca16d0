import { Anchor } from '@mantine/core'
import { useMatches } from '@tanstack/react-router'
import { type DocsTopic, docsPages, topicOf } from './docs-pages.ts'

/** A link to the page of the docs that explains a form: the given topic, else that of the open page. */
export function DocsAnchor({ topic }: { topic?: DocsTopic }) {
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '/' })
  const [title, page] = docsPages[topic ?? topicOf(route)]
  return (
    <Anchor href={`/docs/${page}`} target="_blank" rel="noopener" size="sm" title={`Documentation: ${title}`}>
      {topic ? `Docs: ${title}` : 'Docs'}
    </Anchor>
  )
}
