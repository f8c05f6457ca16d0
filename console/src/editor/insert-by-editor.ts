import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/**
 * Makes CodeMirror, not Chromium, replace a selection and insert several lines. When Chromium joins lines, it writes
 * style attributes, which the content security policy refuses. When Chromium inserts lines, it updates the layout after
 * each line.
 */
export function insertByEditor(): Extension {
  return EditorView.domEventHandlers({
    beforeinput: (event, view) => {
      const { state } = view
      const { data: text, inputType } = event
      if (inputType !== 'insertText' || !text || view.composing || state.readOnly) return false
      const { from, to, empty } = state.selection.main
      if (empty && !text.includes('\n')) return false
      event.preventDefault()
      const insert = () =>
        view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type', scrollIntoView: true })
      const handlers = state.facet(EditorView.inputHandler)
      if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
      return true
    },
  })
}
