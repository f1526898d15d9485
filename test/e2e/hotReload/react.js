import { Canvas } from '@react-three/fiber';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Content } from './Content.js';
import { snapshotOf } from './snapshot.js';

const root = createRoot(document.querySelector('#root'));

/** Renders edited content in place of the one before, or by a component that stays what it is. */
let latest = Content;
const Lasting = () => latest();
const isLasting = location.search === '?lasting';

const show = (content) =>
  root.render(
    createElement(
      StrictMode,
      null,
      createElement(
        Canvas,
        {
          camera: { position: [0, 0, 30], fov: 60 },
          onCreated: (state) => {
            window.state = state;
          },
        },
        content,
      ),
    ),
  );
const showLatest = () => show(createElement(isLasting ? Lasting : latest));

window.indices = [];
window.readScene = () => snapshotOf(window.state.scene);
window.clear = () => show(null);
window.showAgain = showLatest;
showLatest();

import.meta.hot.accept('./Content.js', (edited) => {
  latest = edited.Content;
  showLatest();
});
