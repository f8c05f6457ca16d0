import { Code, Stack } from '@mantine/core'
import { useApiQuery } from '../../data/queries.ts'
import classes from './message.module.css'

/** What can be written between the braces of a template. */
export function HelperHelp() {
  const { data } = useApiQuery('getTemplateHelpers')
  return (
    <details className={classes.more}>
      <summary>Helpers in templates</summary>
      <Stack gap={6} component="ul" m={0} pl="md">
        {data?.templating.helpers.map(({ name, description, block, params }) => (
          <li key={name}>
            <Code>{`{{${block ? '#' : ''}${name} …${(params ?? []).map((each) => ` ${each.name}=`).join('')}}}`}</Code>{' '}
            {description}
          </li>
        ))}
      </Stack>
    </details>
  )
}
