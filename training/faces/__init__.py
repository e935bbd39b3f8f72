"""Training of the face network: pictures to packed crops to `models/face.onnx`."""
