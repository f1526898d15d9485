import { useData, withBase } from 'vitepress';
import { h, ref } from 'vue';

/** The picture of an example of the demo, in whose place the example runs after a click, in the theme of the site. */
export const LiveExample = {
  props: { name: { type: String, required: true }, title: { type: String, required: true } },
  setup({ name, title }, { slots }) {
    const page = withBase(`/demo/examples/${name}/`);
    const { isDark } = useData();
    const isRunning = ref(false);
    // A frame of its own for each theme: another address in the same frame would be a step in the history of the tab.
    const frame = (theme) =>
      h('iframe', {
        key: theme,
        title,
        src: `${page}?embedded&theme=${theme}`,
        onVnodeMounted: ({ el }) => el.focus(),
      });
    const run = () => {
      isRunning.value = true;
    };
    return () =>
      h('figure', { class: ['live', name] }, [
        h('div', { class: 'stage' }, [
          slots.default(),
          isRunning.value
            ? frame(isDark.value ? 'dark' : 'light')
            : h('button', { type: 'button', onClick: run }, h('span', 'Click to run it')),
        ]),
        h('figcaption', [h('a', { href: page, target: '_blank' }, 'Open in a new tab')]),
      ]);
  },
};
