// What examples of docstrings take as given besides what those of pages do.

declare const batch: import('three').BatchedMesh;
