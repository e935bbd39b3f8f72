"""Training of the face network: images to packed crops to `models/face.onnx`."""
