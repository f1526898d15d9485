import { Canvas } from '@react-three/fiber';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Content } from './Content.js';
import { snapshotOf } from './snapshot.js';

const root = createRoot(document.querySelector('#root'));
const camera = { position: [0, 0, 30], fov: 60 };
const onCreated = (state) => {
  window.state = state;
};
let latest = Content;

window.indices = [];
window.readScene = () => snapshotOf(window.state.scene);
window.show = (isShown) =>
  root.render(
    createElement(
      StrictMode,
      null,
      createElement(Canvas, { camera, onCreated }, isShown ? createElement(latest) : null),
    ),
  );
window.show(true);

import.meta.hot.accept('./Content.js', (edited) => {
  latest = edited.Content;
  window.show(true);
});
